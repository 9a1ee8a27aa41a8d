import {useActor} from '@xstate/react'
import {useState} from 'react'
import {fromPromise} from 'xstate'
import {createAnswerDetailsApi} from '#api/answer-details.ts'
import type {AnswerDetails} from '#contract/answer-details.ts'
import {answerDetailsMachine} from '#machines/answer-details/answer-details.machine.ts'
import {useAppInfo} from '../app-info.tsx'

/** How an answer came about, by its message's id; read as long as the view is shown. */
export function useAnswerDetails(message: string) {
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
  return useActor(logic, {input: {message}})
}
