import type {ReactNode} from 'react'
import type {Package} from '#contract/packages.ts'
import {formatMoney} from '#domain/money.ts'
import {formatExact, microOf} from '#domain/exact-amount.ts'
import {accountErrorTextId} from '#domain/account-failure.ts'
import {ownUnit} from '#domain/credit-unit.ts'
import {
  covers,
  discountFigure,
  discountPercent,
  packageLength,
  packagesOf,
  unitPrice,
  wholeDays,
  wholeWeeks,
} from '#domain/packages.ts'
import type {OrderCreateEvent, OrderCreateSnapshot} from '#machines/order-create/order-create.machine.ts'
import {Button} from '#ui/button.tsx'
import {EmptyState} from '#ui/empty-state.tsx'
import {CheckIcon} from '#ui/icons.tsx'
import {MoneyText} from '#ui/money-text.tsx'
import {Problem} from '#ui/problem.tsx'
import {StateChip} from '#ui/table/state-chip.tsx'
import {useLanguage} from '#ui/language.tsx'
import {useText} from '#ui/text.tsx'
import {classNames} from '#ui/class-names.ts'
import surface from '#ui/surface.module.css'
import {lengthTexts, orderText} from './order-name.tsx'
import {RateNote, type MissingRate} from './rate-note.tsx'
import {CostText, type PriceCurrency} from './price-text.tsx'
import styles from './offer-form.module.css'

type OfferFormProps = {
  snapshot: OrderCreateSnapshot
  send: (event: OrderCreateEvent) => void
  /** Unit of the service, when it is no credits. */
  unit: string | null | undefined
  money: PriceCurrency
  missingRate: MissingRate | undefined
  /** Says how much a package buys. */
  estimates: (offer: Package) => ReactNode
}

/** Packages of credits or lengths of a subscription, and the order of one (design/screens §6). */
export function OfferForm({snapshot, send, unit, money, missingRate, estimates}: OfferFormProps) {
  const text = useText()
  const {locale} = useLanguage()
  const {application, type, chosen, missing, failure} = snapshot.context
  const offers = packagesOf(application?.packages ?? [], type)
  const choice = offers.find(({id}) => id === chosen)
  if (offers.length === 0) return <EmptyState title={text('order.noOffers')} text={text('order.noOffersHelp')} />
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (application !== undefined && choice !== undefined)
          send({type: 'order.create', description: orderText(text, {application, offer: choice}, locale)})
      }}
    >
      <fieldset className={styles.offers} disabled={snapshot.hasTag('ordering')}>
        <legend className="visually-hidden">{text('order.offers')}</legend>
        {offers.map((offer) => (
          <Offer
            key={offer.id}
            offer={offer}
            first={offers[0]}
            isChosen={offer.id === chosen}
            unit={unit}
            money={money}
            onChoose={() => send({type: 'package.choose', id: offer.id})}
          />
        ))}
      </fieldset>
      {choice !== undefined && missing !== undefined && (
        <p className={styles.need} aria-live="polite">
          {text(covers(choice, missing) ? 'order.coversMissing' : 'order.lacksMissing', {
            amount: formatExact(microOf(missing), locale, 0),
          })}
        </p>
      )}
      {choice !== undefined && estimates(choice)}
      {failure !== undefined && (
        <Problem>
          {text('order.createFailed')}{' '}
          {text(failure.code === 'duplication' ? 'order.givenBefore' : accountErrorTextId(failure))}
        </Problem>
      )}
      <div className={styles.foot}>
        <span className={styles.total}>
          {text('order.total')}{' '}
          <b>
            <CostText price={choice?.price} {...money} />
          </b>
        </span>
        <Button type="submit" variant="primary" size="lg" loading={snapshot.hasTag('ordering')}>
          {text(choice?.price != null && Number(choice.price) === 0 ? 'order.activate' : 'order.create')}
        </Button>
      </div>
      <RateNote money={money} missing={missingRate} />
    </form>
  )
}

type OfferProps = {
  offer: Package
  first: Package | undefined
  isChosen: boolean
  unit: string | null | undefined
  money: PriceCurrency
  onChoose: () => void
}

function Offer({offer, first, isChosen, unit, money, onChoose}: OfferProps) {
  const text = useText()
  const {locale} = useLanguage()
  const percent = discountPercent(offer, first)
  const length = packageLength(offer)
  const each = unitPrice(offer)
  const amount = offer.amount == null ? null : <Amount value={Number(offer.amount)} unit={unit} />
  return (
    <label className={classNames(surface.surface, styles.offer)}>
      <input type="radio" name="offer" checked={isChosen} onChange={onChoose} />
      <span className={styles.what}>
        <span className={styles.head}>
          <b>{length === undefined ? amount : text(lengthTexts[length])}</b>
          {percent > 0 && offer.type !== 'Period' && (
            <StateChip tone="success">{text('order.discount', {discount: discountFigure(percent, locale)})}</StateChip>
          )}
          {offer.recommended === true && <StateChip tone="neutral">{text('order.recommended')}</StateChip>}
        </span>
        {offer.type === 'Period' && <Benefits offer={offer} amount={amount} percent={percent} />}
        {each !== undefined && length === undefined && (
          <span className={styles.fine}>
            <bdi>{text('order.each', {price: formatMoney(each, money.currency, money.rate, locale, 3)})}</bdi>
          </span>
        )}
      </span>
      <span className={styles.cost}>
        <CostText price={offer.price ?? 0} {...money} />
      </span>
    </label>
  )
}

/** How many of what: credits are counted in the reader's language, other units have the server's word. */
function Amount({value, unit}: {value: number; unit: string | null | undefined}) {
  const text = useText()
  return (
    <>
      <MoneyText amount={value} fractionDigits={0} />{' '}
      {ownUnit(unit) ?? text('application.unitCredits', {amount: value})}
    </>
  )
}

type BenefitsProps = {offer: Package; amount: ReactNode; percent: number}

/** The benefits of a subscription; those of a longer one alone come last (contract/screens §5). */
function Benefits({offer: {duration}, amount, percent}: BenefitsProps) {
  const text = useText()
  const {locale} = useLanguage()
  const weeks = wholeWeeks(duration)
  return (
    <>
      {amount !== null && <Benefit>{amount}</Benefit>}
      {duration != null && <Benefit>{text('order.benefitDays', {count: wholeDays(duration)})}</Benefit>}
      {weeks > 1 && <Benefit>{text('order.benefitWeeks', {count: weeks})}</Benefit>}
      {weeks > 1 && percent > 0 && (
        <Benefit>{text('order.benefitPrice', {percent: discountFigure(percent, locale)})}</Benefit>
      )}
    </>
  )
}

function Benefit({children}: {children: ReactNode}) {
  return (
    <span className={styles.benefit}>
      <CheckIcon size={14} />
      <span>{children}</span>
    </span>
  )
}
