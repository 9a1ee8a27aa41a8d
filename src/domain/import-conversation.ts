import type {ImportedConversation, ImportedMessage} from '#contract/import-requests.ts'
import type {ImportSource} from '#contract/imports.ts'
import {isRecord} from '#contract/is-record.ts'
import {shortText} from './cut-text.ts'

/*
 * Common parts of the readers of export files. A file is untrusted: every value is looked at before it is used, keys
 * are only ever read from what JSON made, and nothing here recurses.
 */

/** A conversation of a file, as it goes to the server, whatever the file was. */
export type ImportConversation = Omit<ImportedConversation, 'from' | 'total'> & {
  /** Attachments that the file names and does not bring along. */
  lost: number
  /** Parts of messages that have no form here. */
  leftOut?: number
}
export type ImportMessage = ImportedMessage
export type ImportContent = ImportMessage['content']
export type ImportAttachment = Exclude<Exclude<ImportContent, string>[number], {type: 'text'}>

/** Why a conversation of a file cannot be imported. */
export type ImportFault = 'unreadable' | 'empty' | 'tooMany' | 'tooLong'
export type FaultyConversation = {title: string; fault: ImportFault}

/** The content of a file. */
export type ImportRead = {
  source: ImportSource
  conversations: ImportConversation[]
  faulty: FaultyConversation[]
}

/** Bounds of the server (#contract/import-requests.ts). */
export const longestTitle = 400
export const longestModel = 200
const longestAddress = 4_096

/** Address of an attachment that lies in the archive under this name, until it is uploaded. */
export const archivedPrefix = 'archive:'

export const recordOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Text without what PostgreSQL cannot hold: NUL, and halves of surrogate pairs. */
const storable = (text: string) => text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD')

export const textOf = (value: unknown): string => (typeof value === 'string' ? storable(value) : '')

/** A line: title, label, name of a model. */
export const lineOf = (value: unknown, most: number) => shortText(textOf(value).replace(/\s+/g, ' ').trim(), most)

/** Unix seconds, from seconds, milliseconds or ISO text; nothing else is a time. */
export function secondsOf(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Date.parse(value) / 1_000 : typeof value === 'number' ? value : Number.NaN
  const seconds = number > 100_000_000_000 ? number / 1_000 : number
  return Number.isFinite(seconds) && seconds > 0 && seconds < 10_000_000_000 ? seconds : undefined
}

/** An attachment at an address, or in the archive; undefined for an address that is neither. */
export function attachmentOf(kind: 'image' | 'file', address: string): ImportAttachment | undefined {
  if (address === '' || address.length > longestAddress) return undefined
  const isElsewhere = /^[a-z][a-z\d+.-]*:/i.test(address)
  const isUsable = address.startsWith(archivedPrefix) || /^https?:\/\//i.test(address) || /^\/(?!\/)/.test(address)
  if (isElsewhere && !isUsable) return undefined
  const url = isUsable ? address : `${archivedPrefix}${address}`
  return kind === 'image' ? {type: 'image_url', image_url: url} : {type: 'file_url', file_url: url}
}

export const contentOf = (text: string, attachments: readonly ImportAttachment[]): ImportContent =>
  attachments.length === 0 ? text : [...(text === '' ? [] : [{type: 'text' as const, text}]), ...attachments]
