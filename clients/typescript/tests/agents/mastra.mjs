// A workflow whose steps suspend with questions; the last one is killed at first: mastra.mjs FILE
import { existsSync, writeFileSync } from 'node:fs';

import { Mastra } from '@mastra/core';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { LibSQLStore } from '@mastra/libsql';
import { z } from 'zod';

import { run } from '../../dist/adapters/mastra.js';
import { Askback } from '../../dist/index.js';

const answers = z.object({ answers: z.array(z.unknown()) });
const ask = (id, question) =>
  createStep({
    id,
    inputSchema: answers,
    outputSchema: answers,
    resumeSchema: z.object({ answer: z.unknown() }),
    suspendSchema: z.record(z.string(), z.unknown()),
    execute: async ({ inputData, resumeData, suspend }) =>
      resumeData ? { answers: [...inputData.answers, resumeData.answer] } : suspend(question),
  });

const removed = `${process.argv[2]}.removed`;
const remove = createStep({
  id: 'remove',
  inputSchema: answers,
  outputSchema: answers,
  execute: async ({ inputData }) => {
    if (existsSync(removed)) return inputData;
    writeFileSync(removed, '');
    process.kill(process.pid, 'SIGKILL');
    return new Promise(() => {});
  },
});

const workflow = createWorkflow({ id: 'clean-up', inputSchema: answers, outputSchema: answers })
  .then(ask('which', { text: 'Which backups?', choices: ['old', 'all'] }))
  .then(ask('allow', { text: 'Allow remove?', kind: 'confirm' }))
  .then(remove)
  .commit();
const storage = new LibSQLStore({ id: 'runs', url: `file:${process.argv[2]}` });
const mastra = new Mastra({ workflows: { workflow }, storage, logger: false });
const { result } = await run(mastra.getWorkflow('workflow'), 'r1', { answers: [] }, new Askback());
console.log(JSON.stringify(result.answers));
