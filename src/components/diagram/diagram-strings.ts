import { useDictionary } from '../dictionary/dictionary-context.tsx'

/** The words around diagrams. */
export interface DiagramStrings {
  /** The name of the picture, for assistive technology. */
  readonly diagram: string
  /** The button that shows the source. */
  readonly showSource: string
  /** The button that shows the picture again. */
  readonly showPicture: string
  /** The source is no diagram. */
  readonly invalid: string
  /** It could not be drawn for another reason: nothing answered in time, or it is too long. */
  readonly unavailable: string
}

const ENGLISH: DiagramStrings = {
  diagram: 'Diagram',
  showSource: 'Show source',
  showPicture: 'Show diagram',
  invalid: 'This diagram has an error, so its source is shown.',
  unavailable: 'This diagram could not be drawn, so its source is shown.',
}

const STRINGS: Readonly<Record<string, DiagramStrings>> = {
  ar: {
    diagram: 'مخطط',
    showSource: 'عرض المصدر',
    showPicture: 'عرض المخطط',
    invalid: 'في هذا المخطط خطأ، لذلك يُعرض مصدره.',
    unavailable: 'تعذّر رسم هذا المخطط، لذلك يُعرض مصدره.',
  },
  de: {
    diagram: 'Diagramm',
    showSource: 'Quelltext anzeigen',
    showPicture: 'Diagramm anzeigen',
    invalid: 'Dieses Diagramm enthält einen Fehler, deshalb siehst du seinen Quelltext.',
    unavailable: 'Dieses Diagramm konnte nicht gezeichnet werden, deshalb siehst du seinen Quelltext.',
  },
  zh: {
    diagram: '图表',
    showSource: '显示源代码',
    showPicture: '显示图表',
    invalid: '此图表有错误，因此显示其源代码。',
    unavailable: '无法绘制此图表，因此显示其源代码。',
  },
}

/** The words in the language of the dictionary; in English where it has another. */
export function useDiagramStrings(): DiagramStrings {
  const language = useDictionary().language.lang?.split('-')[0]?.toLowerCase() ?? ''
  return STRINGS[language] ?? ENGLISH
}
