import {useActor, useActorRef} from '@xstate/react'
import {useState} from 'react'
import {fromPromise} from 'xstate'
import {createAnswerDetailsApi} from '#api/answer-details.ts'
import type {AnswerDetails} from '#contract/answer-details.ts'
import {answerDetailsMachine, type AnswerDetailsSnapshot} from '#machines/answer-details/answer-details.machine.ts'
import {useAppInfo} from '../app-info.tsx'

function useDetailsLogic() {
  const {services} = useAppInfo()
  const [logic] = useState(() => {
    const answers = services.client(createAnswerDetailsApi)
    return answerDetailsMachine.provide({
      actors: {
        readDetails: fromPromise<AnswerDetails, {message: string}>(({input, signal}) =>
          answers.get(input.message, signal),
        ),
      },
    })
  })
  return logic
}

/** How an answer came about, by its message's id; read as long as the view is shown. */
export const useAnswerDetails = (message: string) => useActor(useDetailsLogic(), {input: {message}})

type ReadDetailsProps = {message: string; onRead: (snapshot: AnswerDetailsSnapshot) => void}

/** Reads the same for a view that is shown before there is something to read. `onRead` stays the same function. */
export function ReadDetails({message, onRead}: ReadDetailsProps) {
  useActorRef(useDetailsLogic(), {input: {message}}, onRead)
  return null
}
