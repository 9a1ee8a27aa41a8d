import {useActor} from '@xstate/react'
import {useState} from 'react'
import {fromPromise} from 'xstate'
import {createAnswerDetailsApi} from '#api/answer-details.ts'
import type {AnswerDetails as Details} from '#contract/answer-details.ts'
import {AnswerFacts} from '#features/chat/answer-facts.tsx'
import {answerDetailsMachine} from '#machines/answer-details/answer-details.machine.ts'
import {useAppInfo} from '../app-info.tsx'

/** How an answer came about; read as long as it is shown. */
export function AnswerDetails({message}: {message: string}) {
  const {services} = useAppInfo()
  const [logic] = useState(() => {
    const answers = services.client(createAnswerDetailsApi)
    return answerDetailsMachine.provide({
      actors: {
        readDetails: fromPromise<Details, {message: string}>(({input, signal}) => answers.get(input.message, signal)),
      },
    })
  })
  const [snapshot, send] = useActor(logic, {input: {message}})
  return <AnswerFacts snapshot={snapshot} send={send} />
}
