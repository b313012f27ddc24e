import { invitationLink } from "@/features/auth/invitation";
import { useSession } from "@/features/auth/session";
import { useT } from "@/lib/i18n/i18n";
import { CopyText } from "@/ui/copy-text";
import { DialogTitle } from "@/ui/dialog";
import QrCode from "@/ui/qr-code";

/** The link by which a member invites others, to copy or to be scanned. */
export default function InvitePopup() {
  const t = useT();
  const { member } = useSession();
  const code = member?.affiliateCode;
  const link = code && invitationLink(location.origin, code, member.isAgent);
  return (
    <div className="grid gap-5 p-6">
      <DialogTitle>{t("nav.invite")}</DialogTitle>
      <p className="text-muted">{t(link ? "invite.text" : "invite.none")}</p>
      {link && (
        <>
          <QrCode text={link} label={t("invite.code")} className="size-40 justify-self-center" />
          <CopyText label={t("nav.invite")} value={link} />
        </>
      )}
    </div>
  );
}
