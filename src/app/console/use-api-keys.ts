import {useActor} from '@xstate/react'
import {useState} from 'react'
import {fromPromise} from 'xstate'
import {createCredentialsApi} from '#api/credentials.ts'
import type {Application} from '#contract/management.ts'
import {apiKeysMachine} from '#machines/api-keys/api-keys.machine.ts'
import {useAppActor} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {withUnseenEnd} from '../unseen-end.ts'
import {copySecret} from './copy-secret.ts'

const unrevoked = 'credential.revokeFailed'

/** A key of another `SECRET`, or of a server that shows no keys. */
const notShown = {code: 'unknown', detail: 'The server does not show this key.'}

/** Fills the ports of `api-keys`: the API and the list beside it. Ends with the view, but for a key being revoked. */
export function useApiKeys({applicationId, refreshList}: {applicationId: string; refreshList: () => void}) {
  const {services} = useAppInfo()
  const environment = useAppActor('environment')
  const notices = useAppActor('notices')
  const {applications, credentials} = services.management
  const [keys] = useState(() => services.client(createCredentialsApi))
  const readToken = async (id: string, signal?: AbortSignal) => {
    const {token} = await keys.get(id, signal)
    return token || Promise.reject(Object.assign(new Error(notShown.detail), notShown))
  }
  const [logic] = useState(() =>
    apiKeysMachine.provide({
      actors: {
        readApplication: fromPromise<Application, {applicationId: string}>(({input, signal}) =>
          applications.get(input.applicationId, signal),
        ),
        createKey: fromPromise<{id: string; token: string}, {applicationId: string; name: string}>(
          async ({input, signal}) => {
            const body = {application_id: input.applicationId, ...(input.name === '' ? {} : {name: input.name})}
            const {id, token = ''} = await credentials.create(body, signal)
            return {id, token: token ?? ''}
          },
        ),
        revokeKey: fromPromise<void, {id: string}>(async ({input, signal}) => {
          await withUnseenEnd(keys.remove(input.id), signal, () =>
            notices.send({type: 'notice.show', notice: {id: unrevoked, kind: 'error', textId: unrevoked}}),
          )
        }),
        readToken: fromPromise<string, {id: string}>(({input, signal}) => readToken(input.id, signal)),
      },
      actions: {refreshList},
    }),
  )
  const [snapshot, send, actor] = useActor(logic, {input: {applicationId, environment}})
  const copyKey = async (id: string) => {
    const {revealed} = actor.getSnapshot().context
    const secret = revealed?.id === id ? Promise.resolve(revealed.token) : readToken(id)
    // a key that was revoked elsewhere leaves the list
    secret.catch(refreshList)
    await copySecret(secret)
  }
  return {snapshot, send, copyKey}
}
