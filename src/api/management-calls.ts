import {z} from '#contract/schema.ts'
import type {ApiError} from './api-error.ts'
import {createRequester, type ApiDeps, type Call, type Query} from './request.ts'

export type ManagementDeps = ApiDeps & {
  /** A call got a 401 (spec §4: login). `bearer` is the token it sent, so that a token renewed meanwhile is kept. */
  onUnauthorized: (rejected: {bearer: string | undefined}) => void
}

/** The page that a request for a list asks for (contract/platform §1). */
export type PageQuery = {limit?: number; offset?: number; ordering?: string}
export type Many<T> = T | readonly T[]

export const base = '/api/v1'
export const idPath = (area: string, id: string) => `${base}/${area}/${encodeURIComponent(id)}`

/** How every area of the management API sends its calls: an `AbortSignal` last, an `ApiError` on failure. */
export const createManagementCalls = (deps: ManagementDeps) => {
  const {onUnauthorized} = deps
  const send = async <T>(call: Call<T>): Promise<T> => {
    let bearer: string | undefined
    const headers = () => {
      const knownHeaders = deps.headers()
      bearer = knownHeaders.authorization?.replace(/^Bearer /, '')
      return knownHeaders
    }
    try {
      return await createRequester({...deps, headers})(call)
    } catch (error) {
      if ((error as ApiError).status === 401) onUnauthorized({bearer}) // a requester rejects with nothing but `ApiError`
      throw error
    }
  }
  return {
    send,
    get: <T>(path: string, answer: z.core.$ZodType<T>, signal?: AbortSignal, query?: Query) =>
      send({method: 'get', path, answer, signal, query}),
    /** Reads an answer of which the device keeps an earlier one: without a network it fails at once. */
    getKept: <T>(path: string, answer: z.core.$ZodType<T>, signal?: AbortSignal, query?: Query) =>
      send({method: 'get', path, answer, signal, query, isKept: true}),
    /** An unknown field or model must not hide its service, nor one service the others. */
    getLeniently: <T>(path: string, answer: z.core.$ZodType<T>, signal?: AbortSignal, query?: Query) =>
      send({method: 'get', path, answer, isLenient: true, signal, query}),
    write: <T>(method: 'post' | 'put', path: string, body: object, answer: z.core.$ZodType<T>, signal?: AbortSignal) =>
      send({method, path, body, answer, signal}),
    /** It goes out although the page is left at once. */
    remove: async (path: string, signal?: AbortSignal): Promise<void> => {
      await send({method: 'delete', path, answer: z.unknown(), keepsAlive: true, signal})
    },
  }
}
