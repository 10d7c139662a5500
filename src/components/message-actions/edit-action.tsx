'use client'
import type { ReactNode } from 'react'
import { forwardRef, useImperativeHandle, useRef } from 'react'
import { useDraft } from '../composer/draft-context.ts'
import { openEditor } from '../composer/open-editor.ts'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { IconButton } from '../internals/icon-button.tsx'
import type { MessageActionProps } from './message-action-props.ts'
import { classNames } from '../internals/part.ts'
import { useActionsOf } from './message-context.ts'

/**
 * Renders a `<button>`: opens what the user sent for another version. Nothing, for other messages.
 *
 * @example
 * ```tsx
 * import { Chat, CopyAction, EditAction } from 'capstan/components'
 *
 * const actions = <><EditAction /><CopyAction /></>
 * export const Desk = () => <Chat messageActions={actions} />
 * ```
 */
export const EditAction = forwardRef<HTMLButtonElement, MessageActionProps>(function EditAction(props, ref): ReactNode {
  const { edit } = useDictionary().message
  const { message, editRef } = useActionsOf()
  const draft = useDraft()
  const own = useRef<HTMLButtonElement>(null)
  const button = editRef ?? own
  // Null where there is no button, as a ref is.
  useImperativeHandle(ref, () => button.current as HTMLButtonElement)
  return (
    message.role === 'user' && (
      <IconButton
        {...props}
        className={classNames('cs-part', props.className)}
        ref={button}
        icon="edit"
        label={edit}
        onClick={() => openEditor(draft, message, false)}
      />
    )
  )
})
