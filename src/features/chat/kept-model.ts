import {useSelector} from '@xstate/react'
import {useLayoutEffect} from 'react'
import type {ConversationActor} from '#machines/conversation/conversation.machine.ts'
import {selectIsUnused, selectLastName} from '#machines/conversation/conversation.selectors.ts'
import {useChat} from './chat.context.tsx'
import type {DraftStore} from './draft.types.ts'

type Names = {key: string; id?: string | undefined}

/** Keys of the choice: the name of the server stays over a reload, and is not there from the start. */
const keysOf = ({id, key}: Names) => [...new Set([id ?? key, key])].map((name) => `model/${name}`)

/** Chooses the model of the next question. In an asked conversation the choice is kept as the draft of its field is. */
export function keepModel(drafts: DraftStore, actor: ConversationActor, name: string): void {
  const [key = ''] = keysOf(actor.getSnapshot().context)
  const answer = selectLastName(actor.getSnapshot())
  // a choice refers to the answer that it was made after
  const references = answer === undefined ? [] : [{url: answer, name: ''}]
  if (!selectIsUnused(actor.getSnapshot())) drafts.write(key, {text: name, references})
  actor.send({type: 'model.choose', model: name})
}

/** Chooses again what was kept, unless another device was given an answer since. */
function takeModel(drafts: DraftStore, actor: ConversationActor): void {
  const {context} = actor.getSnapshot()
  const answer = selectLastName(actor.getSnapshot())
  const [choice] = keysOf(context).flatMap((key) => drafts.read(key) ?? [])
  const isOutdated = choice?.references.some(({url}) => url !== answer) === true
  if (choice === undefined || isOutdated || choice.text === context.model) return
  actor.send({type: 'model.choose', model: choice.text})
}

/** A question went with the model: neither its choice waits any more, nor one that stood beside it. */
export function dropModel(drafts: DraftStore, names: Names): void {
  for (const key of keysOf(names))
    for (let draft = drafts.read(key); draft !== undefined; draft = drafts.read(key)) {
      drafts.write(key, draft)
      drafts.close(key)
    }
}

/** Before its first frame a conversation has the model that was chosen before a reload or in another tab. */
export function useKeptModel(actor: ConversationActor): void {
  const {drafts} = useChat()
  const answer = useSelector(actor, selectLastName)
  useLayoutEffect(() => {
    const take = () => takeModel(drafts, actor)
    take()
    return drafts.heard.subscribe(take)
  }, [drafts, actor, answer])
}
