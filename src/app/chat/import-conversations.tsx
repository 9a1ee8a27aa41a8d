import {useNavigate} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {useEffect, useState} from 'react'
import {ImportDialog} from '#features/chat/import/import-dialog.tsx'
import {groupOfModel} from '#features/chat/model-catalogue.ts'
import {selectItem} from '#machines/conversation-list/conversation-list.selectors.ts'
import {selectServedModels} from '#machines/provisioning/provisioning.selectors.ts'
import {actorOf, useAppActor, useRoot} from '../actors.context.tsx'
import {useAppInfo} from '../app-info.tsx'
import {createImport} from './import.ts'

/** The import of conversations: it ends with its dialog, and its dialog with the session. */
export function ImportConversations({onClose}: {onClose: () => void}) {
  const {services, scriptUrl, chat, tabs} = useAppInfo()
  const root = useRoot()
  const environment = useAppActor('environment')
  const navigate = useNavigate()
  const [current] = useState(() =>
    createImport({
      system: root.system,
      services,
      scriptUrl,
      environment,
      tabs,
      list: () => actorOf(root, 'conversations'),
    }),
  )
  useEffect(() => {
    const subscription = current.actor.subscribe({complete: onClose, error: onClose})
    return () => {
      subscription.unsubscribe()
      current.end()
    }
  }, [current, onClose])
  const snapshot = useSelector(current.actor, (next) => next)
  const open = (id: string) => {
    const list = actorOf(root, 'conversations')?.getSnapshot()
    const provisioning = actorOf(root, 'provisioning/chat')?.getSnapshot()
    const model = list && selectItem(list, id)?.model
    const group = groupOfModel(model ?? '', provisioning === undefined ? [] : selectServedModels(provisioning))
    onClose()
    void navigate({href: chat.navigation.href({group, conversation: id})})
  }
  return (
    <ImportDialog
      snapshot={snapshot}
      send={current.actor.send}
      onFile={current.choose}
      onOpen={open}
      onClose={onClose}
    />
  )
}
