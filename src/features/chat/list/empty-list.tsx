import {useSelector} from '@xstate/react'
import {importCapability} from '#contract/imports.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import {selectHasCapability} from '#machines/provisioning/provisioning.selectors.ts'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import {useChat} from '../chat.context.tsx'
import frame from '../conversation-list.module.css'
import styles from './rows.module.css'

/** A list without conversations; those of another product can be brought along, where the server takes them. */
export function EmptyList({provisioning}: {provisioning: ProvisioningActor}) {
  const text = useText()
  const {openSettings} = useChat()
  const offersImport = useSelector(provisioning, (snapshot) => selectHasCapability(snapshot, importCapability))
  return (
    <div className={frame.scroller}>
      <p className={frame.empty}>{text('chat.listEmpty')}</p>
      {offersImport && (
        <Button size="sm" variant="ghost" className={styles.import} onClick={() => openSettings('import')}>
          {text('chat.importOffer')}
        </Button>
      )}
    </div>
  )
}
