import {Suspense, type ComponentProps, type ComponentType, type ReactNode} from 'react'
import {type Application} from '#contract/management.ts'
import {Button} from '#ui/button.tsx'
import {classNames} from '#ui/class-names.ts'
import {WalletIcon} from '#ui/icons.tsx'
import {useLanguage} from '#ui/language.tsx'
import {Popover} from '#ui/popover.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {Spinner} from '#ui/spinner.tsx'
import {useText} from '#ui/text.tsx'
import type {ApplicationList} from './application-list.tsx'
import styles from './credit-pill.module.css'
import {useAmount} from './use-amount.ts'

/** Contents of the pill (screens.md §0). `preparing`: the credential of a newly chosen application is being created. */
export type Balance =
  | {status: 'loading' | 'none' | 'failed'}
  | {status: 'ready' | 'preparing'; application: Application}

type CreditPillProps = {
  balance: Balance
  applications: readonly Application[]
  /** The list that the pill opens. */
  List: ComponentType<ComponentProps<typeof ApplicationList>>
  onChoose: (id: string) => void
  onRetry: () => void
  /** Opens the dialog that creates the general application. */
  onStart: () => void
}

/** The balance of the paying application; opens the list to choose it. */
export function CreditPill({balance, applications, List, onChoose, onRetry, onStart}: CreditPillProps) {
  const text = useText()
  const amount = useAmount()
  if (balance.status === 'none') {
    return (
      <Button size="sm" onClick={onStart}>
        {text('application.pillStart')}
      </Button>
    )
  }
  const ownApplication = 'application' in balance ? balance.application : undefined
  return (
    <Popover
      label={text('index.applications')}
      align="end"
      trigger={(trigger) => (
        <button
          type="button"
          className={classNames(styles.pill, isUsedUp(ownApplication) && styles.low)}
          aria-busy={balance.status === 'loading' || balance.status === 'preparing'}
          {...trigger}
        >
          {balance.status === 'preparing' ? (
            <Spinner size={14} label={text('application.pillPreparing')} />
          ) : (
            <WalletIcon size={14} />
          )}
          <span className="visually-hidden">{text('application.pillLabel')}</span>
          {balance.status === 'failed' && text('application.pillUnavailable')}
          {balance.status === 'loading' && <PillAmount shown={<Skeleton inlineSize="5ch" blockSize={12} />} />}
          {ownApplication !== undefined && <PillAmount shown={amount(ownApplication.remaining_amount, 2)} />}
        </button>
      )}
    >
      {(close) => (
        <Suspense>
          <List
            applications={applications}
            selected={ownApplication}
            failed={balance.status === 'failed'}
            onChoose={onChoose}
            onRetry={onRetry}
            onClose={close}
          />
        </Suspense>
      )}
    </Popover>
  )
}

/** `1,284.50 credits` with the number, or what replaces it, emphasized; translations may put it anywhere. */
function PillAmount({shown}: {shown: ReactNode}) {
  const language = useLanguage()
  return (
    <span className={styles.amount}>
      {language.format('application.credits', {
        amount: (
          <b key="amount">
            <bdi dir="ltr">{shown}</bdi>
          </b>
        ),
      })}
    </span>
  )
}

const isUsedUp = (application: Application | undefined) => (application?.remaining_amount ?? 1) <= 0
