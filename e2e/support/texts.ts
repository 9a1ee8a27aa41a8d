/**
 * An answer with all that is easily lost on the way: white space, several alphabets, emoji of many code points, code.
 */
export const demanding = [
  '# Title\r\n\r\nTea is **hot**,  with  double  spaces and a tab\there.',
  '',
  'Größe, Ελληνικά, Привіт, 日本語, العربية, e\u0301, 👩🏽‍🚀👨‍👩‍👧, 🇸🇪.',
  '',
  '```ts',
  "const foo = '<b>not bold</b>' // \\n stays",
  '\tindented()',
  '```',
  '',
  '1. one',
  '2. two & three &amp; four',
  '',
  'The last words of it.\n\n',
].join('\n')

/** A number of words that can be told apart: `word1 word2 …`. */
export const numbered = (words: number, name = 'word') =>
  Array.from({length: words}, (_, index) => `${name}${index + 1}`).join(' ')
