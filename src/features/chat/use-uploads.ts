import {useEffect, useReducer, useRef} from 'react'
import {isImageUrl} from '#domain/image-extensions.ts'
import {toFailure, type Failure} from '#domain/failure.ts'
import type {ChatPorts, UploadedReference} from './chat.context.tsx'
import type {OfferedModel} from './model-catalogue.ts'

/** Most attachments of a message (contract/chat §6). */
export const mostFiles = 10

type Progress =
  {state: 'uploading'; share: number} | {state: 'ready'; url: string} | {state: 'failed'; failure: Failure}
export type Attachment = {
  id: number
  name: string
  size: number | undefined
  isImage: boolean
  file: File | undefined
} & Progress

type Action =
  | {type: 'added'; attachment: Attachment}
  | {type: 'progressed'; id: number; share: number}
  | {type: 'settled'; id: number; progress: Progress}
  | {type: 'removed'; id: number}
  | {type: 'cleared'}

function reduce(attachments: readonly Attachment[], action: Action): readonly Attachment[] {
  switch (action.type) {
    case 'added':
      return [...attachments, action.attachment]
    case 'progressed':
      return attachments.map((each) =>
        each.id === action.id && each.state === 'uploading' ? {...each, share: action.share} : each,
      )
    case 'settled':
      return attachments.map((each) => (each.id === action.id ? {...each, ...action.progress} : each))
    case 'removed':
      return attachments.filter(({id}) => id !== action.id)
    case 'cleared':
      return []
  }
}

/** Why the chosen model cannot accept an attachment. */
export function refusalOf(attachment: Attachment, model: OfferedModel | undefined): 'files' | 'images' | undefined {
  if (model === undefined || model.takesFiles) return undefined
  if (attachment.isImage) return model.takesImages ? undefined : 'files'
  return model.takesImages ? 'images' : 'files'
}

export type Uploads = {
  attachments: readonly Attachment[]
  add: (files: readonly File[]) => void
  /** Adds files that are already on the server. */
  restore: (references: readonly UploadedReference[]) => void
  retry: (id: number) => void
  remove: (id: number) => void
  clear: () => void
}

const fromReference = (reference: UploadedReference, id: number): Attachment => ({
  id,
  name: reference.name,
  size: reference.size,
  isImage: isImageUrl(reference.name) || isImageUrl(reference.url),
  file: undefined,
  state: 'ready',
  url: reference.url,
})

/** References of the uploaded attachments. */
export const readyReferences = (attachments: readonly Attachment[]): UploadedReference[] =>
  attachments.flatMap((each) => (each.state === 'ready' ? [{url: each.url, name: each.name, size: each.size}] : []))

/** The attachments of one unsent message and their uploads. Leaving the screen aborts uploads. */
export function useUploads(upload: ChatPorts['upload'], initial: readonly UploadedReference[]): Uploads {
  const [attachments, dispatch] = useReducer(reduce, initial, (references) => references.map(fromReference))
  const running = useRef(new Map<number, AbortController>())
  const nextId = useRef(initial.length)

  useEffect(() => {
    const uploads = running.current
    return () => {
      for (const controller of uploads.values()) controller.abort()
      uploads.clear()
    }
  }, [])

  const start = (id: number, file: File) => {
    const controller = new AbortController()
    running.current.set(id, controller)
    const settle = (progress: Progress) => {
      if (running.current.get(id) !== controller) return
      running.current.delete(id)
      dispatch({type: 'settled', id, progress})
    }
    upload(file, {signal: controller.signal, onProgress: (share) => dispatch({type: 'progressed', id, share})}).then(
      ({url}) => settle({state: 'ready', url}),
      (error: unknown) => settle({state: 'failed', failure: toFailure(error)}),
    )
  }
  const stop = (id: number) => {
    const controller = running.current.get(id)
    running.current.delete(id)
    controller?.abort()
  }

  return {
    attachments,
    add(files) {
      for (const file of files.slice(0, Math.max(0, mostFiles - attachments.length))) {
        const id = nextId.current
        nextId.current += 1
        const isImage = file.type.startsWith('image/') || isImageUrl(file.name)
        dispatch({
          type: 'added',
          attachment: {id, name: file.name, size: file.size, isImage, file, state: 'uploading', share: 0},
        })
        start(id, file)
      }
    },
    restore(references) {
      for (const reference of references) {
        dispatch({type: 'added', attachment: fromReference(reference, nextId.current)})
        nextId.current += 1
      }
    },
    retry(id) {
      const file = attachments.find((each) => each.id === id)?.file
      if (file === undefined) return
      dispatch({type: 'settled', id, progress: {state: 'uploading', share: 0}})
      start(id, file)
    },
    remove(id) {
      stop(id)
      dispatch({type: 'removed', id})
    },
    clear() {
      for (const id of [...running.current.keys()]) stop(id)
      dispatch({type: 'cleared'})
    },
  }
}
