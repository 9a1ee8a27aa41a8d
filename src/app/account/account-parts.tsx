import {useActor} from '@xstate/react'
import {useState} from 'react'
import {fromPromise} from 'xstate'
import {createAccountApi} from '#api/account.ts'
import {createUuid} from '#api/random.ts'
import {createUsersApi} from '#api/users.ts'
import {saveBlob} from '#browser/save-blob.ts'
import type {AccountSession} from '#contract/account.ts'
import type {User} from '#contract/management.ts'
import {profileWrite, type ProfileChanges} from '#domain/profile.ts'
import {ListBody} from '#features/console/list-body.tsx'
import {AccountData} from '#features/profile/account-data.tsx'
import {PasswordDialog} from '#features/profile/password-dialog.tsx'
import {ProfileForm} from '#features/profile/profile-form.tsx'
import {PasswordRow} from '#features/profile/password-row.tsx'
import {SessionList} from '#features/profile/session-list.tsx'
import {callOf, type CallHandle, type RunCall} from '#machines/call/call.machine.ts'
import {profileFormMachine, selectIsNameChanged} from '#machines/profile-form/profile-form.machine.ts'
import {VerifyButton} from '#features/profile/verification.tsx'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import type {ChosenFile} from '#machines/upload/upload.types.ts'
import {uploadFile} from '../chat/upload-file.ts'
import {actorOf, useAppActor, useRoot} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {useAddressList} from '../console/use-address-list.ts'
import {LeaveQuestion} from './leave-question.tsx'

/** Sessions that are listed; more than anybody has. */
const mostSessions = 50
/** Milliseconds. A deletion waits for running tasks to stop, an export for all files. */
const deadlines = {short: 20_000, delete: 120_000, export: 1_800_000}

/** Name and image of the user. */
export function Profile({user}: {user: User}) {
  const notices = useAppActor('notices')
  const auth = useAppActor('auth')
  const {services} = useAppInfo()
  const [files] = useState(() => new Map<string, File>())
  const [logic] = useState(() => {
    const upload = uploadFile(services.files)
    const users = services.client(createUsersApi)
    return profileFormMachine.provide({
      actors: {
        saveProfile: fromPromise<User, {changes: ProfileChanges}>(async ({input, signal}) => {
          // another tab or device may have changed the rest of the profile since
          const current = await services.management.users.me(signal)
          return users.updateMe(profileWrite(current, input.changes), signal)
        }),
        uploadAvatar: fromPromise<string, {file: ChosenFile | undefined}>(async ({input, signal}) => {
          const file = files.get(input.file?.id ?? '')
          if (file === undefined) throw new Error('The image is not there any more.')
          const {url} = await upload(file, {signal, onProgress: () => {}})
          return url
        }),
      },
      actions: {
        shareUser: (_, output) => {
          auth.send({type: 'user.changed', user: output.user})
          notices.send({type: 'notice.show', notice: savedNotice('index.profileSaved')})
        },
      },
    })
  })
  const [snapshot, send] = useActor(logic, {input: {user}})
  return (
    <>
      <LeaveQuestion isChanged={selectIsNameChanged(snapshot) || snapshot.matches('uploading')} />
      <ProfileForm
        snapshot={snapshot}
        send={send}
        onAvatar={(file) => {
          const id = createUuid()
          files.set(id, file)
          send({type: 'avatar.choose', file: {id, name: file.name, type: file.type, size: file.size}})
        }}
      />
    </>
  )
}

const savedNotice = (textId: string) => ({id: textId, kind: 'success' as const, textId})

/** One request about the account. Both functions are those of the first render. */
function useCall(run: RunCall, deadline: number, onDone: () => void): CallHandle {
  const [logic] = useState(() => callOf(run, onDone))
  const [snapshot, send] = useActor(logic, {input: {deadline}})
  return {snapshot, send}
}

const useAccountApi = () => {
  const {services} = useAppInfo()
  const [account] = useState(() => services.client(createAccountApi))
  return account
}

/** Password and sessions. */
export function Security() {
  const account = useAccountApi()
  const notices = useAppActor('notices')
  const list = useAddressList<AccountSession>({
    keys: [],
    read: async (_, signal) => {
      const {items, count} = await account.sessions({limit: mostSessions, ordering: '-refreshed_at'}, signal)
      return {items, total: count}
    },
  })
  const refresh = () => list.send({type: 'list.refresh'})
  const password = useCall(
    ({values: {current_password = '', new_password = ''}}, signal) =>
      account.changePassword({current_password, new_password}, signal),
    deadlines.short,
    () => {
      notices.send({type: 'notice.show', notice: savedNotice('index.profilePasswordChanged')})
      refresh()
    },
  )
  const end = useCall(
    ({subject = ''}, signal) => account.endSession(subject, signal),
    deadlines.short,
    () => {
      notices.send({type: 'notice.show', notice: savedNotice('index.profileSessionEnded')})
      refresh()
    },
  )
  return (
    <>
      <PasswordRow onChange={() => password.send({type: 'call.open'})} />
      <PasswordDialog {...password} />
      <ListBody
        snapshot={list.snapshot}
        onRetry={refresh}
        empty={null}
        rows={({items}, isStale) => <SessionList sessions={items} isStale={isStale} end={end} />}
      />
    </>
  )
}

/** Confirms the address of the user. */
export function Verification({user}: {user: User}) {
  const {services} = useAppInfo()
  const auth = useAppActor('auth')
  const notices = useAppActor('notices')
  const request = useCall(
    async ({values: {code = ''}}, signal) => {
      await services.client(createUsersApi).verify(code, signal)
    },
    deadlines.short,
    () => {
      notices.send({type: 'notice.show', notice: savedNotice('index.profileVerifyDone')})
      const now = selectUser(auth.getSnapshot())
      if (now !== undefined) auth.send({type: 'user.changed', user: {...now, is_verified: true}})
    },
  )
  return <VerifyButton email={user.email ?? ''} {...request} />
}

/** Export and deletion. */
export function Data({user}: {user: User}) {
  const account = useAccountApi()
  const root = useRoot()
  const exporting = useCall(
    async (_, signal) => {
      const {blob, name} = await account.exportData(signal)
      saveBlob(blob, name)
    },
    deadlines.export,
    () => {},
  )
  const deleting = useCall(
    ({values: {password = ''}}, signal) => account.remove({password}, signal),
    deadlines.delete,
    () => actorOf(root, 'auth')?.send({type: 'account.deleted'}),
  )
  return <AccountData email={user.email ?? user.id} exporting={exporting} deleting={deleting} />
}
