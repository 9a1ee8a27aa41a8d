/**
 * Tokens of a text, counted without the model's own tokenizer: four ASCII characters or one other character a token.
 * The server holds credits by it, and settles by it when a provider reports no usage; the client estimates prices.
 */
export function estimateTokens(text: string): number {
  let ascii = 0
  let other = 0
  for (const character of text) {
    if (character.charCodeAt(0) < 0x80) ascii += 1
    else other += 1
  }
  return Math.ceil(ascii / 4) + other
}

/** Tokens that a message adds to its text, and tokens of an attachment. */
export const tokensPerMessage = 4
export const tokensPerAttachment = 1_000
