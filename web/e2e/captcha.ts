/** What the questions of captchas are about, as everybody knows it. */
const kinds: Record<string, string> = {
  animals: "dog horse goat rabbit chicken monkey cow tiger",
  fruits: "mango banana apple grape papaya melon lemon coconut",
  colors: "red yellow green blue white black purple brown",
  "parts of the body": "hand nose knee ear elbow finger foot shoulder",
  "things in a house": "chair table window door lamp spoon broom pillow",
};

/** The answer to a captcha's question in words. */
export function answerOf(question: string): string {
  const [, kind = "", words = ""] = /these words are (.+)\? .*: (.+)\./.exec(question) ?? [];
  const known = kinds[kind]?.split(" ") ?? [];
  return words
    .split(", ")
    .filter((word) => known.includes(word))
    .join(" ");
}
