const key = 'atrium.orders'

/**
 * Whether the credits of an order are announced for the first time in this tab, over reloads: a choice that the user
 * makes afterwards stays. Where storage is blocked they are announced again.
 */
export function isFirstAnnouncement(order: string): boolean {
  try {
    const ids = (sessionStorage.getItem(key) ?? '').split(' ')
    if (ids.includes(order)) return false
    sessionStorage.setItem(key, [...ids.slice(-20), order].join(' '))
  } catch (error) {
    console.warn(`Order ${order} is not remembered:`, error)
  }
  return true
}
