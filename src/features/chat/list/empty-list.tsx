import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import {Button} from '#ui/button.tsx'
import {useText} from '#ui/text.tsx'
import frame from '../conversation-list.module.css'
import styles from './rows.module.css'
import {useOfferedImport} from './use-offered-import.ts'

/** A list without conversations; those of another product can be brought along, where the server takes them. */
export function EmptyList({provisioning}: {provisioning: ProvisioningActor}) {
  const text = useText()
  const openImport = useOfferedImport(provisioning)
  return (
    <>
      <p className={frame.empty}>{text('chat.listEmpty')}</p>
      {openImport !== undefined && (
        <Button size="sm" variant="ghost" className={styles.import} onClick={openImport}>
          {text('chat.importOffer')}
        </Button>
      )}
    </>
  )
}
