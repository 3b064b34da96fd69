// An agent loop with the Vercel AI SDK: toolctl declares the tools, decides the calls and runs them.
import { execFileSync, spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { generateText, jsonSchema, stepCountIs, tool } from "ai";
import { createOpenAI } from "@ai-sdk/openai";

const execute = (name) => async (args, { toolCallId: id }) => {
  const run = spawn("toolctl", ["exec", "-", "-o", "json"], { stdio: ["pipe", "pipe", "inherit"] });
  run.stdin.end(JSON.stringify({ id, tool: name, args }));
  return JSON.parse(await text(run.stdout));
};
const block = (one) => one.type === "text" ? one : { type: "image-data", data: one.data, mediaType: one.mimeType };
const toModelOutput = ({ output }) => ({ type: "content", value: output.content.map(block) });
const declared = JSON.parse(execFileSync("toolctl", ["schema", "--format", "raw"], { encoding: "utf8" }));
const tools = Object.fromEntries(declared.map(({ name, description, parameters }) =>
  [name, tool({ description, inputSchema: jsonSchema(parameters), execute: execute(name), toModelOutput })]));
const model = createOpenAI({ baseURL: process.env.OPENAI_BASE_URL }).chat("gpt-5.5");
const { text: answer } = await generateText({ model, tools, prompt: process.argv[2], stopWhen: stepCountIs(20) });
console.log(answer);
