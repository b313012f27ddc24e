// The server under test, for as long as this process lives.
import { startServer } from "./server.mjs";

const server = await startServer("debug", Number(process.argv[2] ?? 18080));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => void server.stop());
process.exitCode = await server.ended;
