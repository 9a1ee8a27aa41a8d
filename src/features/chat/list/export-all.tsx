import {useSelector} from '@xstate/react'
import {Suspense} from 'react'
import type {ConversationListActor} from '#machines/conversation-list/conversation-list.machine.ts'
import {selectItems} from '#machines/conversation-list/conversation-list.selectors.ts'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import {ExportDialog} from './export-dialog.tsx'
import {selectIsReading, useExport} from './use-export.ts'

/** Saves every conversation of the user: of all groups, and those in the archive. */
export function ExportAll({conversations}: {conversations: ConversationListActor}) {
  const text = useText()
  const all = useSelector(conversations, selectItems)
  // before they are all read, a file would lack some without a word
  const isReading = useSelector(conversations, selectIsReading)
  const exports = useExport(all)
  return (
    <>
      <Button
        disabled={all.length === 0}
        loading={isReading && all.length > 0}
        onClick={() => exports.start(all.map(({key}) => key))}
      >
        {text('chat.exportAll')}
      </Button>
      <Suspense>
        {exports.current !== undefined && <ExportDialog {...exports.current} onClose={exports.close} />}
      </Suspense>
    </>
  )
}
