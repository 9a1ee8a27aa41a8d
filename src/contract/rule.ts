import type messages from '../../locales/en/failure.json'

type RuleId = Extract<keyof typeof messages, `rule${string}`>

/** The answer to a broken rule of ours: the key of a message of `failure`, and what that names beside `field`. */
export const brokenRule = (id: RuleId, values: Record<string, string | number> = {}) => ({error: id, params: values})
