'use client'
import type { ReactNode } from 'react'
import { useDictionary } from '../dictionary/dictionary-context.tsx'
import { Icon } from '../internals/icon.tsx'
import { iconOfType } from '../internals/icon-of-type.ts'
import { IconButton } from '../internals/icon-button.tsx'
import type { PendingAttachment } from './pending-attachment.ts'
import type { AttributesOf } from '../internals/attributes/part-attributes.ts'
import type { composerAttributes } from './composer-attributes.ts'

type Attributes = AttributesOf<typeof composerAttributes, 'files'>

type AttachmentChipProps = Pick<PendingAttachment, 'name'> & Partial<Omit<PendingAttachment, 'key' | 'sent'>>

/** A file of a message, sent or about to be: its name, and its size or the state of its upload. `data-state`. */
export function AttachmentChip({
  name,
  mimeType,
  size,
  status = 'ready',
  share,
  reason,
  retry,
  remove,
}: AttachmentChipProps): ReactNode {
  const { composer: strings, artifact, progress } = useDictionary()
  const facts = {
    ready: size === undefined ? '' : artifact.size(size),
    uploading: share === undefined ? '' : progress.share(share),
    failed: reason ?? strings.attachFailed,
  }
  const icon = { ready: iconOfType(mimeType), uploading: 'spin', failed: 'alert' } as const
  return (
    <li className="cs-file" data-state={status satisfies Attributes['data-state']}>
      <Icon name={icon[status]} className={status === 'uploading' ? 'cs-spin' : undefined} />
      <bdi className="cs-clip">{name}</bdi>
      <small className="cs-meta cs-figures">{facts[status]}</small>
      {retry && <IconButton icon="retry" size={14} label={strings.retry(name)} onClick={retry} />}
      {remove && <IconButton icon="x" size={14} label={strings.remove(name)} onClick={remove} />}
    </li>
  )
}
