import {useSelector} from '@xstate/react'
import {importCapability} from '#contract/imports.ts'
import type {ProvisioningActor, ProvisioningSnapshot} from '#machines/provisioning/provisioning.machine.ts'
import {selectService} from '#machines/provisioning/provisioning.selectors.ts'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import {useChat} from '../chat.context.tsx'
import frame from '../conversation-list.module.css'
import styles from './rows.module.css'

const takesConversations = (snapshot: ProvisioningSnapshot) =>
  selectService(snapshot)?.metadata?.capabilities?.includes(importCapability) === true

/** A list without conversations; those of another product can be brought along, where the server takes them. */
export function EmptyList({provisioning}: {provisioning: ProvisioningActor}) {
  const text = useText()
  const {openSettings} = useChat()
  const offersImport = useSelector(provisioning, takesConversations)
  return (
    <>
      <p className={frame.empty}>{text('chat.listEmpty')}</p>
      {offersImport && (
        <Button size="sm" variant="ghost" className={styles.import} onClick={() => openSettings('import')}>
          {text('chat.importOffer')}
        </Button>
      )}
    </>
  )
}
