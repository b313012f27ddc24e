import type { Key, Translate } from "@/lib/i18n/i18n";

/** What each kind of jobs does. */
const jobNames: Readonly<Record<string, Key>> = {
  "platform.budgets.purge": "service.job_budgets",
  "platform.events.purge": "service.job_events",
  "platform.jobs.purge": "service.job_jobs",
  "platform.outbox.deliver": "service.job_deliver",
  "platform.outbox.purge": "service.job_outbox",
  "platform.seal.purge": "service.job_seal",
  "service.trail": "service.job_trail",
  "sessions.purge": "service.job_sessions",
  "sessions.trials": "service.job_trials",
  "staff.purge": "service.job_staff",
  "members.tell_loss": "service.job_losses",
  "studio.jackpots": "service.job_jackpots",
  "studio.left_rounds": "service.job_left_rounds",
  "studio.replay": "service.job_replay",
  "wallet.audit": "service.job_audit",
  "wallet.proofs": "service.job_proofs",
};

/** What messages are sent for. */
const purposeNames: Readonly<Record<string, Key>> = {
  "sessions.register": "service.for_register",
  "sessions.login": "service.for_login",
  "sessions.recovery": "service.for_recovery",
  "sessions.bind": "service.for_bind",
  "inbox.answer": "service.for_answer",
  "members.changed": "service.for_change",
  "members.contact_lost": "service.for_loss",
};

const messageStates: Readonly<Record<string, Key>> = {
  queued: "service.message_queued",
  sent: "service.message_sent",
  kept: "service.message_kept",
  failed: "service.message_failed",
  expired: "service.message_expired",
};

const channelNames: Readonly<Record<string, Key>> = {
  sms: "service.channel_sms",
  mail: "service.channel_mail",
};

export const allChannels = Object.keys(channelNames);
export const allMessageStates = Object.keys(messageStates);

/** A name in words; one that only a newer server knows is shown as it is written. */
function named(names: Readonly<Record<string, Key>>) {
  return (name: string, t: Translate): string => {
    const key = names[name];
    return key ? t(key) : name || "–";
  };
}

export const jobText = named(jobNames);
export const purposeText = named(purposeNames);
export const messageStateText = named(messageStates);
export const channelText = named(channelNames);
