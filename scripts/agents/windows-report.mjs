// Writes what interactive.mjs has seen, as docs/agents-in-their-windows.md.

const introduction = (secondsMax) => `# Agents in their windows

\`scripts/real-agents --interactive\` writes this page. Do not edit it.

Each agent ran in a terminal (tmux, 110 columns) with a home directory of its own, set up by nothing but \`askback install AGENT --yes\`,
with its default permissions and a fake model. The model asked the same question four times, three times in one session and once in a new one, each time
after the answer to the one before. You would have been asked four times, each time with the same two choices. A row passes if the agent waited, the model
read the answer of this row once, within ${secondsMax} s of its being given, and the other places say how it was answered.

- Before \`install\`, only the address of the fake model was set, and for Claude Code that its first start is over and that it uses the default permission mode:
  its auto mode needs a server of its own.
- *Seconds* are those between the stored answer and the request in which the model has it. Undo was switched off; by default an answer waits five seconds more for it.
- *Pending* is how often the model was told before that there is no answer yet, because the agent does not wait longer for one call, and waited again.
- *Next call*: the model had been told to end its turn. It got the answer with its next call, after the person had written to it. The seconds are those of this call.
- What the model read is quoted as it was, except for white space.
- Only Codex shows a dialog of its own. Where there is none, the third answer was given with \`askback answer\`.
- The answer in the new session was given a long time after the question; the row says how long.
`;

/** A text as a cell of a table, as it was read. */
const quote = (text) => `\`\` ${text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim()} \`\``;

const cell = (text) => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').trim();

/** The part of a screen that belongs to the question: from the person's message on, without empty rows and lines. */
function trim(screen, round) {
  const rows = screen.split('\n').map((row) => row.trimEnd());
  const from = rows.findLastIndex((row) => row.includes(`Round ${round}: ask me`));
  const isText = (row) => /[\p{L}\p{N}]/u.test(row);
  return rows.slice(Math.max(from, 0)).filter(isText).join('\n');
}

function rowOf({ title, version }, { surface, seconds, pending, isNextCall, text, failure }) {
  if (failure && text === undefined) return `| ${title} | ${version} | ${surface} | **failed**: ${cell(failure)} | – |`;
  const marks = [pending ? `pending ${pending} ×` : '', isNextCall ? 'next call' : '', failure ? `**failed**: ${cell(failure)}` : ''];
  return `| ${title} | ${version} | ${surface} | ${quote(text)} | ${[seconds.toFixed(1), ...marks.filter(Boolean)].join(', ')} |`;
}

function saidOf({ title }, { surface, said }) {
  return `| ${title} | ${surface} | ${cell(said.inbox)} | ${cell(said.page)} |`;
}

/** How often an agent asked for permission, and which prompt it was. */
function promptsOf({ title, asked, prompts }) {
  const count = prompts.flat().length;
  const names = [...new Set(prompts.flat())].join(', ');
  const each = prompts.map((session) => session.length).join(' + ');
  return `| ${title} | ${asked ?? 'failed'} | ${count ? `${each} by session: ${names}` : 'none'} |`;
}

export function report(runs, secondsMax) {
  const rows = (write) => runs.flatMap((run) => run.rows.filter(({ said }) => said || write === rowOf).map((row) => write(run, row)));
  const captures = runs.flatMap((run) => {
    // After ten minutes some have ended their turn: then the first round shows how they waited.
    const hasEndedTurn = run.rows.some(({ isNextCall }) => isNextCall);
    const isShown = ({ round, surface }) => /after/.test(surface) || (round === 1 && hasEndedTurn);
    const shown = run.rows.filter((row) => row.screen && isShown(row));
    return shown.map(({ screen, surface, round }) => `### ${run.title}: ${surface}\n\n\`\`\`text\n${trim(screen, round)}\n\`\`\`\n`);
  });
  return [
    introduction(secondsMax),
    '## What the model read\n',
    '| agent | version | answered in | what the model read | seconds |\n|---|---|---|---|---|',
    ...rows(rowOf),
    '\n## Permission prompts\n',
    'Before a question, with what `askback install` writes. Whether an agent may trust the directory is asked once at its first start, and not counted.\n',
    '| agent | questions that came | permission prompts |\n|---|---|---|',
    ...runs.map(promptsOf),
    '\n## What the other places say\n',
    '| agent | answered in | last row of `askback inbox` | page of the question |\n|---|---|---|---|',
    ...rows(saidOf),
    '\n## What the window shows while it waits\n',
    'Taken just before the answer. Empty rows and frames are left out.\n',
    ...captures,
  ].join('\n');
}
