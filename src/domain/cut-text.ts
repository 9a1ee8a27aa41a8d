/** A text of at most so many UTF-16 units, cut between characters. */
export const cutText = (text: string, most: number) => text.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')
