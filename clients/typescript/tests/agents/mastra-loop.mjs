// A workflow with a step that asks three times: mastra-loop.mjs FILE
import { Mastra } from '@mastra/core';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { LibSQLStore } from '@mastra/libsql';
import { z } from 'zod';

import { run } from '../../dist/adapters/mastra.js';
import { Askback } from '../../dist/index.js';

const answers = z.object({ answers: z.array(z.unknown()) });
const step = createStep({
  id: 'more',
  inputSchema: answers,
  outputSchema: answers,
  resumeSchema: z.object({ answer: z.unknown() }),
  suspendSchema: z.record(z.string(), z.unknown()),
  execute: async ({ inputData, resumeData, suspend }) =>
    resumeData ? { answers: [...inputData.answers, resumeData.answer] } : suspend({ text: 'More?', kind: 'text' }),
});
const workflow = createWorkflow({ id: 'loop', inputSchema: answers, outputSchema: answers })
  .dountil(step, async ({ inputData }) => inputData.answers.length >= 3)
  .commit();
const storage = new LibSQLStore({ id: 'runs', url: `file:${process.argv[2]}` });
const mastra = new Mastra({ workflows: { workflow }, storage, logger: false });
const { result } = await run(mastra.getWorkflow('workflow'), 'r1', { answers: [] }, new Askback());
console.log(JSON.stringify(result.answers));
