/** An answer as it goes back to a model in later turns: without its reasoning, which servers ask not to be sent. */
export const withoutReasoning = (text: string): string => text.replace(/^\s*(?:<think>[\s\S]*?(?:<\/think>\s*|$))+/, '')
