#!/usr/bin/env node
// Prints the operation ids of the calls that need re-authentication: those with `office_proof` in the API document, and
// the decision on an approval, which needs it only when it approves.
const site = process.argv[2];
const { paths } = await (await fetch(`${site}/openapi.json`)).json();
const calls = Object.values(paths).flatMap((methods) => Object.values(methods));
const needsProof = ({ security }) => security?.some((scheme) => "office_proof" in scheme);
console.log([...calls.filter(needsProof).map((call) => call.operationId), "approvals_decide_on"].join("\n"));
