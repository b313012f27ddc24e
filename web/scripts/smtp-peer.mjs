// An SMTP server for the server's tests: prints its port, then each mail it takes as a line of JSON.
import { SMTPServer } from "smtp-server";

const server = new SMTPServer({
  disabledCommands: ["STARTTLS"],
  allowInsecureAuth: true,
  onAuth(auth, _session, done) {
    const isRight = auth.username === "capiz" && auth.password === "secret";
    done(isRight ? null : new Error("wrong password"), { user: auth.username });
  },
  onRcptTo(address, _session, done) {
    const refused = Object.assign(new Error("no such mailbox"), { responseCode: 550 });
    done(address.address.startsWith("nobody@") ? refused : null);
  },
  onData(stream, session, done) {
    const parts = [];
    stream.on("data", (part) => parts.push(part));
    stream.on("end", () => {
      const { mailFrom, rcptTo } = session.envelope;
      const to = rcptTo.map((recipient) => recipient.address);
      const text = Buffer.concat(parts).toString("utf8");
      console.log(JSON.stringify({ from: mailFrom.address, to, user: session.user, text }));
      done();
    });
  },
});

server.listen(0, "127.0.0.1", () => console.log(server.server.address().port));
