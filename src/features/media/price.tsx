import {useText} from '#ui/text.tsx'

/** What an action costs that is sent at once; nothing for one that only fills the form or is free. */
export function Price({amount}: {amount: number | undefined}) {
  const text = useText()
  if (amount === undefined || amount === 0) return null
  return <small>{text('common.creditAmount', {amount: `\u2066${amount}\u2069`})}</small>
}
