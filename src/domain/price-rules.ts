import jsonLogic from 'json-logic-js'
import {isRecord} from '#contract/is-record.ts'

/*
 * Price of a request by its service's rules (contract/platform §4). Load it lazily: only pages that show a price need
 * the library.
 */

/** Allowed operators: those that compute. Others of the library write to the log or call functions. */
const operators = new Set(
  (
    'var missing missing_some if ?: == === != !== ! !! or and > >= < <= max min + - * / % ' +
    'map filter reduce all none some merge in cat substr'
  ).split(' '),
)
const deepest = 40

function isAllowed(rule: unknown, depth = 0): boolean {
  if (depth > deepest) return false
  if (Array.isArray(rule)) return rule.every((part) => isAllowed(part, depth + 1))
  if (!isRecord(rule)) return true
  const [operator, ...others] = Object.keys(rule)
  if (operator === undefined || others.length > 0) return true // plain data
  return operators.has(operator) && isAllowed(rule[operator], depth + 1)
}

function applied(rule: unknown, data?: Record<string, unknown>): unknown {
  if (!isAllowed(rule)) throw new Error('A price rule uses an operator that is not allowed')
  // as: the library types its rules by operator; it throws on a rule it cannot apply
  return jsonLogic.apply(rule as Parameters<typeof jsonLogic.apply>[0], data) as unknown
}

/** As in JSON-Logic, an empty array is false. */
const isTruthy = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value))

/**
 * Credits of a request: the consumption of the first rule whose conditions hold, 0 if none does. Undefined if there are
 * no rules or they cannot be read: then no price is shown.
 */
export function costOf(rules: unknown, payload: Record<string, unknown>): number | undefined {
  if (!Array.isArray(rules)) return undefined
  try {
    for (const rule of rules) {
      if (!isRecord(rule)) return undefined
      if (!isTruthy(applied(rule.conditions, payload))) continue
      const consumption = applied(rule.consumption)
      const credits = typeof consumption === 'string' && consumption.trim() !== '' ? Number(consumption) : consumption
      return typeof credits === 'number' && Number.isFinite(credits) ? credits : undefined
    }
    return 0
  } catch {
    // an unusable rule gives no price; callers that require one report it
    return undefined
  }
}
