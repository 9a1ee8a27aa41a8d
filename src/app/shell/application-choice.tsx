import type {ComponentProps} from 'react'
import {ApplicationList} from '#features/shell/application-list.tsx'
import {useWords} from '../use-words.ts'

/** The choice of the paying application, in the words of the console. */
export function ApplicationChoice(props: ComponentProps<typeof ApplicationList>) {
  useWords('console')
  return <ApplicationList {...props} />
}
