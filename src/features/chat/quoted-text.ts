const longestRun = (text: string) => Math.max(0, ...(text.match(/`+/g) ?? []).map(({length}) => length))

/** A text between lines that it does not contain, so that a model sees where it begins and ends. */
function quoted(text: string): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return [fence, text.replace(/\n$/, ''), fence].join('\n')
}

/** A question with pasted texts behind it. */
export const withQuotedTexts = (question: string, texts: readonly string[]) =>
  [question, ...texts.map(quoted)].join('\n\n')
