import {accountErrorTextId} from '#domain/account-failure.ts'
import {imageRule} from '#domain/image-rule.ts'
import {profileLimits, userName} from '#domain/profile.ts'
import {
  selectCanSaveName,
  selectIsNameChanged,
  selectName,
  type ProfileFormEvent,
  type ProfileFormSnapshot,
} from '#machines/profile-form/profile-form.machine.ts'
import {Avatar} from '#ui/avatar.tsx'
import {Button} from '#ui/button.tsx'
import {Field, noteProps} from '#ui/forms/field.tsx'
import {ImageField} from '#ui/forms/image-field.tsx'
import {LineInput} from '#ui/forms/text-area.tsx'
import {Problem} from '#ui/problem.tsx'
import {useText, type Text} from '#ui/text.tsx'
import {classNames} from '#ui/class-names.ts'
import surface from '#ui/surface.module.css'
import styles from './profile-page.module.css'

type ProfileFormProps = {
  snapshot: ProfileFormSnapshot
  send: (event: ProfileFormEvent) => void
  onAvatar: (file: File) => void
}

const nameId = 'profile-name'

/** Image and name of the user. An image is saved at once; a name by its button. */
export function ProfileForm({snapshot, send, onAvatar}: ProfileFormProps) {
  const text = useText()
  const {user, avatar, failure} = snapshot.context
  const name = selectName(snapshot)
  const help = text('index.profileNameHelp')
  const error = name.trim().length > profileLimits.name ? text('site.tooLong') : undefined
  const isSaving = snapshot.matches('saving')
  const isChanged = selectIsNameChanged(snapshot)
  return (
    <form
      className={classNames(surface.surface, styles.form)}
      aria-label={text('index.profileEdit')}
      onSubmit={(event) => {
        event.preventDefault()
        send({type: 'name.save'})
      }}
    >
      <ImageField
        label={text('index.profileAvatar')}
        help={text('index.profileAvatarHelp')}
        error={avatarProblem(text, avatar)}
        url={user.avatar ?? ''}
        types={imageRule.types}
        preview={<Avatar name={userName(user)} source={user.avatar || undefined} size={48} />}
        isUploading={snapshot.matches('uploading')}
        isWaiting={isSaving}
        onChoose={onAvatar}
        onCancel={() => send({type: 'avatar.cancel'})}
        onRemove={() => send({type: 'avatar.remove'})}
      />
      <Field id={nameId} label={text('index.profileName')} help={help} error={error}>
        <LineInput
          id={nameId}
          value={name}
          placeholder={user.username ?? ''}
          // a disabled field would lose the focus
          readOnly={isSaving}
          onChange={(next) => send({type: 'name.change', name: next})}
          {...noteProps(nameId, help, error)}
        />
      </Field>
      {failure !== undefined && (
        <Problem>
          {text('index.profileSaveFailed')} <bdi>{text(accountErrorTextId(failure))}</bdi>
        </Problem>
      )}
      {(isChanged || isSaving) && (
        <div className={styles.actions}>
          <Button variant="ghost" disabled={isSaving} onClick={() => send({type: 'name.discard'})}>
            {text('site.discard')}
          </Button>
          <Button
            type="submit"
            variant="primary"
            loading={isSaving}
            disabled={!isSaving && !selectCanSaveName(snapshot)}
          >
            {text('site.save')}
          </Button>
        </div>
      )}
    </form>
  )
}

function avatarProblem(text: Text, avatar: ProfileFormSnapshot['context']['avatar']): string | undefined {
  if (avatar?.fault !== undefined)
    return text(avatar.fault.kind === 'size' || avatar.fault.kind === 'empty' ? 'site.pictureSize' : 'site.pictureType')
  return avatar?.failure === undefined ? undefined : text('site.pictureFailed')
}
