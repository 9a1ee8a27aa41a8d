import {isDeepStrictEqual} from 'node:util'
import {badRequest, notFound} from '../http/failure.ts'

type Present<T> = {[K in keyof T as null extends T[K] ? never : undefined extends T[K] ? never : K]: T[K]} & {
  [K in keyof T as null extends T[K] ? K : undefined extends T[K] ? K : never]?: NonNullable<T[K]>
}

/** Leaves out what is null or undefined: on the wire, absent and null mean the same (`#contract/schema.ts`). */
export function present<T extends object>(value: T): Present<T> {
  // The mapped type says exactly what the filter does; Object.fromEntries forgets it.
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry != null)) as Present<T>
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Our keys are UUIDs; other text names nothing here and must not reach the database as one. */
export const isUuid = (text: string): boolean => uuidPattern.test(text)

/**
 * The id in a route's path.
 *
 * @throws HttpFailure 404
 */
export function idOf({id}: Record<string, string>): string {
  if (id === undefined || !isUuid(id)) throw notFound()
  return id
}

/**
 * A PUT carries the whole object. Keys that are not the caller's to write are accepted when they say what is stored,
 * and refused with a 400 that names them when they would change it (security R21).
 */
export function refuseChanged(body: object, storedFields: object, readOnly: readonly string[]): void {
  const wantedFields = new Map(Object.entries(body))
  const current = new Map(Object.entries(storedFields))
  for (const key of readOnly) {
    const value: unknown = wantedFields.get(key)
    if (value === undefined) continue
    if (!isDeepStrictEqual(value ?? undefined, current.get(key) ?? undefined)) {
      throw badRequest('fieldFixed', key)
    }
  }
}
