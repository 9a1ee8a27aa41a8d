import {createContext} from 'react'
import type {PackedPieces} from './packed-pieces.ts'

export type HighlightRequest = {id: number; code: string; language: string}
export type HighlightResponse = {id: number; pieces: PackedPieces | undefined}

/** The part of a `Worker` that is used here. */
export type HighlightWorker = Pick<Worker, 'postMessage' | 'terminate' | 'onmessage' | 'onerror'>

/** Starts the worker that colours code; without it code stays plain. Without sessions the same function is one highlighter. */
export const HighlightWorkerContext = createContext<(() => HighlightWorker) | undefined>(undefined)
