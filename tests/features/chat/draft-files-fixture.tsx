import {screen} from '@testing-library/react'
import type {Observable} from 'rxjs'
import type {ServedModel} from '#contract/management.ts'
import type {ElsewhereFact} from '#domain/lost-file.ts'
import type {SendFile} from '#features/chat/attachment.ts'
import {file} from './attached-files.ts'
import {showScreen} from './chat-screen-fixture.tsx'
import {createFiles} from './chat-files-fixture.ts'
import {record} from './chat-fixture.tsx'

export const pdf = (name: string) => file(name, 'application/pdf')

type Sent = {name: string; signal: AbortSignal; finish: () => void; fail: () => void}

/** Conversations `a` and `b`; uploads end when the test says so. */
export async function showChat(
  conversation: string | undefined,
  served: ServedModel[] = [],
  elsewhere$?: (id: string) => Observable<ElsewhereFact>,
) {
  const uploads: Sent[] = []
  const upload: SendFile = ({name}, {signal}) =>
    new Promise((resolve, reject) =>
      uploads.push({
        name,
        signal,
        finish: () => resolve({url: `https://hub.example/files/${name}`}),
        fail: () => reject(new Error('foo')),
      }),
    )
  const shown = await showScreen(conversation, {records: [record('a'), record('b')], served}, undefined, (drafts) =>
    createFiles(upload, drafts, undefined, undefined, elsewhere$),
  )
  const sent = async (name: string) => {
    await screen.findByText(name)
    const found = uploads.findLast((each) => each.name === name)
    if (found === undefined) throw new Error(`${name} is not uploaded`)
    return found
  }
  return {...shown, sent}
}
