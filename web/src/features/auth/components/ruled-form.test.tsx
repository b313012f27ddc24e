// @vitest-environment happy-dom
import { type UseFormReturn, useWatch } from "react-hook-form";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "@/lib/api/error";
import { setBoot } from "@/lib/boot/boot";
import { sampleBoot } from "@/lib/boot/sample";
import { setStage } from "@/lib/testing/stage";
import type { RegisterValues, ShownField } from "../rules";
import { RuledForm, useRuledForm } from "./ruled-form";

vi.mock("../countries", () => ({
  useCountries: () => ({ countries: [], usual: "63", isWhole: true }),
}));
vi.mock("./phone-proof-field", () => ({
  default: ({ form: { control } }: { form: UseFormReturn<RegisterValues> }) =>
    `proof: ${useWatch({ control, name: "idToken" })}.`,
}));
vi.mock("../api-login", () => ({ fetchCaptcha: () => Promise.resolve("picture") }));
vi.mock("@/lib/popup/popup", () => ({ warn: vi.fn() }));
vi.mock("@/lib/i18n/i18n", () => ({
  useT:
    () =>
    (...words: unknown[]) =>
      words.join("|"),
}));

const shape = { minLength: 1, maxLength: 64, patternId: "any" };
const fields: readonly ShownField[] = (["mobileNum", "idToken"] as const).map((name) => ({
  name,
  required: true,
  shape,
}));
const send = vi.fn();

type FormProps = { fields?: readonly ShownField[]; minimumAge?: number };

function Form({ fields: shown = fields, minimumAge = 21 }: FormProps) {
  const ruled = useRuledForm({ fields: shown, way: "mobile", minimumAge });
  return (
    <RuledForm ruled={ruled} send={send}>
      <button
        type="button"
        onClick={() => {
          ruled.form.setValue("idToken", "signed");
          for (const name of ["adult", "terms"] as const) ruled.form.setValue(name, true);
        }}
      >
        {"prove"}
      </button>
    </RuledForm>
  );
}

describe("the form of a registration", () => {
  const page = setStage();
  beforeEach(() => setBoot(sampleBoot("EN")));

  it("wants another proof, and says so, where the phone service vouched for another number", async () => {
    const named = { fields: { mobileNum: "mismatch" } };
    send.mockRejectedValue(new ApiError(400, "session.phone_unverified", "", named));
    await page.show(<Form />);
    await page.type({ mobileNum: "9171234567" });
    await page.press("prove");
    expect(page.text()).toContain("proof: signed.");
    await page.submit();
    expect(send).toHaveBeenCalledOnce();
    expect(page.text()).toContain("proof: .");
    expect(page.isWrong("mobileNum")).toBe(true);
    expect(page.text()).toContain("error.phone_unverified");
  });

  it("says of a wrong captcha at its field that it is wrong, and leads there", async () => {
    send.mockRejectedValue(new ApiError(400, "session.captcha", ""));
    const captcha = { name: "captcha", required: true, shape } as const;
    await page.show(<Form fields={[captcha]} />);
    await page.press("prove");
    await page.type({ captcha: "abcde" });
    await page.submit();
    expect(page.isWrong("captcha")).toBe(true);
    expect(page.text()).toContain("error.captcha");
    expect(document.activeElement).toBe(page.input("captcha"));
    expect(page.input("captcha")?.value).toBe("");
    expect(document.querySelector("[role=alert]")).toBeNull();
  });

  it.each([
    ["payeeName", "Maria", "field.payee_name_invalid|pattern.full_name|1 to 64"],
    ["payeeName", "", "field.required|1 to 64"],
    ["nickname", "Maria", "pattern.full_name|1 to 64"],
  ] as const)(
    "says of a real name, and of that alone, that it is none: %s, %j",
    async (...told) => {
      const [name, typed, words] = told;
      const named = { name, required: true, shape: { ...shape, patternId: "full_name" } };
      await page.show(<Form fields={[named]} />);
      await page.type({ [name]: typed });
      await page.submit();
      expect(page.isWrong(name)).toBe(true);
      expect(page.text()).toContain(words.replace("1 to 64", "field.range|1|64"));
      expect(page.text().includes("field.payee_name_invalid")).toBe(words.includes("_invalid"));
    },
  );

  it.each([
    [21, ["ofAge", "adult", "terms"], []],
    [18, ["adult", "terms"], [{ ofAge: true, adult: true }]],
  ])("asks once for each age that one has to have: %i", async (minimumAge, ticks, sent) => {
    const birthday = { name: "birthday", required: true, shape } as const;
    send.mockReset().mockResolvedValue(undefined);
    await page.show(<Form fields={[birthday]} minimumAge={minimumAge} />);
    await page.type({ birthday: "1990-05-17" });
    const shown = [...document.querySelectorAll<HTMLInputElement>("[type=checkbox]")];
    expect(shown.map(({ name }) => name)).toEqual(ticks);
    await page.press("prove");
    await page.submit();
    expect(send.mock.calls.map(([values]) => values as object)).toMatchObject(sent);
  });
});
