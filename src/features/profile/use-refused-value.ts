import {useState, type RefCallback} from 'react'
import type {Failure} from '#domain/failure.ts'
import {takeFocus} from '#ui/take-focus.ts'

type RefusedValue = {
  refusal: Failure | undefined
  /** Name of the field on the wire. */
  field: string
  value: string
  message: string
}

/**
 * Focus and message of a field whose value was refused, until its value is another one. The value does not change
 * between the request and its refusal.
 */
export function useRefusedValue({refusal, field, value, message}: RefusedValue): {
  ref?: RefCallback<HTMLElement>
  error?: string
} {
  const [lastRefusal, setLastRefusal] = useState({refusal, value})
  if (lastRefusal.refusal !== refusal) setLastRefusal({refusal, value})
  return refusal?.field === field && lastRefusal.value === value ? {ref: takeFocus, error: message} : {}
}
