// One question of each kind, as agents ask them.

export const single = {
  questions: [
    {
      question: 'Which database should we use for this project?',
      header: 'Database',
      options: [
        {
          label: 'PostgreSQL',
          description: 'Robust relational DB, great for complex queries',
          preview: 'services:\n+ db:\n+   image: postgres:17\n- file: data.db',
        },
        { label: 'MongoDB', description: 'Document DB, flexible schema' },
        { label: 'SQLite (Recommended)', description: 'Embedded DB, zero configuration' },
      ],
    },
  ],
};

export const several = {
  questions: [
    {
      question: 'Which features should we enable?',
      header: 'Features',
      multiSelect: true,
      options: [
        { label: 'TypeScript', description: 'Type safety and better IDE support' },
        { label: 'ESLint + Prettier' },
        { label: 'Testing (Vitest)' },
        { label: 'Tailwind CSS' },
      ],
    },
  ],
};

export const long = {
  question: 'Which language should it be translated into?',
  input_type: 'single_select',
  allow_other: true,
  context: 'Select the target language',
  options: ['English', 'French', 'Spanish', 'Italian', 'Portuguese', 'German', 'Dutch'].map(
    (label) => ({ label, value: label.slice(0, 2).toLowerCase() }),
  ),
};

export const text = {
  question: 'What does “DM” refer to?',
  input_type: 'text',
  placeholder: 'e.g. direct message',
  context: 'The abbreviation has several meanings',
  allow_skip: true,
  validation: { max_length: 100, min_length: 3 },
};

export const number = {
  question: 'How many replicas should run?',
  input_type: 'number',
  validation: { min: 1, max: 9, integer: true },
};

export const date = { question: 'When should we schedule it?', input_type: 'date' };

export const range = {
  question: 'Which period should the report cover?',
  input_type: 'date_range',
};

export const three = {
  questions: [
    { question: 'Which auth method?', header: 'Auth Method', options: ['OAuth 2.0', 'Passwords'] },
    {
      question: 'Which providers should we support?',
      header: 'Providers',
      multiSelect: true,
      options: ['Google', 'GitHub', 'GitLab'],
    },
    {
      question: 'Where are files kept?',
      header: 'Storage',
      options: [{ label: 'S3' }, { label: 'Disk' }],
    },
  ],
};

/** The six kinds of input, and several questions at once. */
export const kinds = { single, several, long, text, number, date, range, three };
