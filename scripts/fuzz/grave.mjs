#!/usr/bin/env node
// Prints the calls that want a proof of the last minutes, as the API document names them, and the one that only agreeing
// makes grave.
const site = process.argv[2];
const { paths } = await (await fetch(`${site}/openapi.json`)).json();
const calls = Object.values(paths).flatMap((methods) => Object.values(methods));
const isGrave = ({ security }) => security?.some((needs) => "office_proof" in needs);
console.log([...calls.filter(isGrave).map((call) => call.operationId), "approvals_decide_on"].join("\n"));
