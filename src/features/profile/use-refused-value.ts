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
 * Focus and message of a field whose value was refused, until its value is another one. The value does not change between the
 * request and its refusal.
 */
export function useRefusedValue({refusal, field, value, message}: RefusedValue): {
  ref?: RefCallback<HTMLElement>
  error?: string
} {
  const [refused, setRefused] = useState({refusal, value})
  if (refused.refusal !== refusal) setRefused({refusal, value})
  return refusal?.field === field && refused.value === value ? {ref: takeFocus, error: message} : {}
}
