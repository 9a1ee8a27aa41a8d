import type {ButtonHTMLAttributes, ReactNode, Ref} from 'react'
import {classNames} from './class-names.ts'
import {iconButtonClass} from './icon-button-class.ts'
import {Tooltip} from './tooltip.tsx'

export type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className' | 'children' | 'title'> & {
  /** Accessible name; also the tooltip on devices with a fine pointer. */
  label: string
  icon: ReactNode
  size?: 'sm' | 'md'
  className?: string | undefined
  /** Keys shown in the tooltip, already formatted for the platform. */
  keys?: string
  ref?: Ref<HTMLButtonElement>
}

/** A button that shows only an icon. */
export function IconButton({label, icon, size = 'md', className, keys, type = 'button', ...rest}: IconButtonProps) {
  return (
    <Tooltip text={label} keys={keys}>
      <button {...rest} type={type} aria-label={label} className={classNames(iconButtonClass(size), className)}>
        {icon}
      </button>
    </Tooltip>
  )
}
