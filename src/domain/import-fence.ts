/** Code in a fence that is longer than any run of backticks in it. */
export function fenced(language: string, text: string): string {
  if (text === '') return ''
  const longest = (text.match(/`+/g) ?? []).reduce((most, {length}) => Math.max(most, length), 2)
  const fence = '`'.repeat(longest + 1)
  return `${fence}${/^[\w+#-]{1,30}$/.test(language) && language !== 'unknown' ? language : ''}\n${text}\n${fence}`
}
