import {createContext, useContext, type ReactNode} from 'react'
import {createPortal} from 'react-dom'

/** The element of the column beside the list; null where there is none. */
export const SongColumnContext = createContext<Element | null>(null)

/** Shows its content in the column beside the list of songs. */
export function SongColumn({children}: {children: ReactNode}) {
  const column = useContext(SongColumnContext)
  return column === null ? null : createPortal(children, column)
}
