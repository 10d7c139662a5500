import type { ReactNode } from 'react'
import type { PromptOption } from '../../seam/prompt.ts'
import { literalLabel } from '../literal-value/literal-pieces.ts'
import type { OptionName } from './option-names.ts'
import { OptionText } from './option-text.tsx'

const LONGEST_DESCRIPTION = 300

/** An option with its description. */
export function OptionRow({
  option,
  name,
}: {
  readonly option: PromptOption
  readonly name: OptionName | undefined
}): ReactNode {
  return (
    <span className="cs-grow">
      <span className="cs-option-name">
        <OptionText name={name} opensStep={option.kind === 'allow-always'} />
      </span>
      {option.description && (
        <bdi className="cs-option-description">{literalLabel(option.description, LONGEST_DESCRIPTION)}</bdi>
      )}
    </span>
  )
}
