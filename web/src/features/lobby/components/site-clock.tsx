import { useEffect, useState } from "react";
import { getBoot } from "@/lib/boot/boot";
import { clockText } from "@/lib/time";

/** The site's clock. It shows blanks of the same width until it runs, so that nothing moves. */
export function SiteClock() {
  const zone = getBoot().merchant.timeZone;
  const [text, setText] = useState("––/––/–––– ––:––:––");
  useEffect(() => {
    const show = () => setText(clockText(new Date(), zone));
    show();
    const timer = setInterval(show, 1000);
    return () => clearInterval(timer);
  }, [zone]);
  return <span className="figures shrink-0 whitespace-nowrap">{text}</span>;
}
