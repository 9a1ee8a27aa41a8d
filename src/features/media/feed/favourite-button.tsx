import {IconButton} from '#ui/icon-button.tsx'
import {StarFilledIcon, StarIcon} from '#ui/star-icons.tsx'
import {useText} from '#ui/text.tsx'

type FavouriteButtonProps = {
  title: string
  isOn: boolean
  onPress: (isOn: boolean) => void
  size?: 'sm'
  className?: string | undefined
}

/** Marks a result as a favourite. Its name stays the same: that it is on is said beside the name. */
export function FavouriteButton({title, isOn, onPress, size, className}: FavouriteButtonProps) {
  const text = useText()
  return (
    <IconButton
      size={size}
      className={className}
      label={text('common.mediaFavouriteOf', {title})}
      aria-pressed={isOn}
      icon={isOn ? <StarFilledIcon /> : <StarIcon />}
      onClick={() => onPress(!isOn)}
    />
  )
}
