'use client'
import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { useDictionary } from '../dictionary-context.tsx'
import { Icon } from '../icon/icon.tsx'
import { classNames } from '../part.ts'
import { LEAVING, hostOf, safeLink } from '../safe-url.ts'

export interface ArtifactCardProps extends Omit<ComponentPropsWithoutRef<'div'>, 'children'> {
  readonly artifactId?: string | undefined
  readonly url?: string | undefined
  readonly mimeType?: string | undefined
  readonly artifactType?: string | undefined
}

function fileName(url: URL | undefined): string | undefined {
  const last = url?.pathname.split('/').findLast((segment) => segment !== '')
  if (last === undefined) return undefined
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}

/** Something the agent made: its name, kind and where it lies. Nothing is loaded until the link is followed. */
export function ArtifactCard({ artifactId, url, mimeType, artifactType, className, ...rest }: ArtifactCardProps): ReactNode {
  const words = useDictionary()
  const link = safeLink(url)
  const facts = [artifactType, mimeType, link && hostOf(link)].filter(Boolean).join(' · ')
  return (
    <div {...rest} className={classNames('cs-part cs-artifact', className)}>
      <span className="cs-file-mark">
        <Icon name="file" size={20} />
      </span>
      <span className="cs-artifact-name">
        <b className="cs-strong cs-clip" dir="auto">
          {fileName(link) ?? artifactId ?? words.artifact.untitled}
        </b>
        <span className="cs-meta cs-clip">{facts}</span>
        {url !== undefined && !link && (
          <span className="cs-meta cs-clip">
            <bdi>{url}</bdi> ({words.citations.unsafe})
          </span>
        )}
      </span>
      {link && (
        <a className="cs-button" data-kind="plain" href={link.href} {...LEAVING}>
          {words.artifact.open}
          <Icon name="out" size={14} />
          <span className="cs-hidden">{words.citations.newTab}</span>
        </a>
      )}
    </div>
  )
}
