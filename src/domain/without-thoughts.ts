/** Code in a fence, also of a list or a quotation: what stands in it is text. Else a thought, which begins a line. */
const fenceOrThought =
  /^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)*(`{3,}(?=[^`\n]*$)|~{3,}(?!~))[\s\S]*?(?:^[ \t>]*\1|(?![\s\S]))|^[ \t]*<think>[\s\S]*?(?:<\/think>\s*|(?![\s\S]))/gim

/** The Markdown of an answer without its reasoning, as it is copied and exported; empty where it has nothing else. */
export const withoutThoughts = (markdown: string): string =>
  markdown.replace(fenceOrThought, (match, fence: string | undefined) => (fence === undefined ? '' : match))
