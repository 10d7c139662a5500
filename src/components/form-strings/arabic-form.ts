import { figureIn } from '../dictionary/measures.ts'
import { apart, plural } from '../locales/arabic-measures.ts'
import type { SchemaFormStrings } from './schema-form-strings.ts'

// Latin digits, as everywhere else in Arabic here.
const figure = figureIn('ar-u-nu-latn')

/** The strings of `SchemaForm` in Arabic. */
export const arabicForm: SchemaFormStrings = {
  submit: 'إرسال',
  cancel: 'إلغاء',
  required: '(مطلوب)',
  choose: 'اختر…',
  none: 'بلا قيمة',
  value: 'القيمة',
  kind: 'النوع',
  kindNumber: (number) => `النوع ${number}`,
  item: (number) => `العنصر ${number}`,
  add: (list) => `إضافة إلى ${apart(list)}`,
  remove: (list, number) => `إزالة العنصر ${number} من ${apart(list)}`,
  json: 'أدخل هذا بصيغة JSON.',
  large: 'هذا النموذج أكبر من أن يُعرض كحقول. أدخل القيم بصيغة JSON.',
  schema: 'المخطط',
  localTime: 'بحسب منطقتك الزمنية.',
  uncheckedPattern: 'يتحقق الوكيل من صيغة هذه القيمة.',
  credential: 'لا تُدخل كلمات المرور هنا أبدًا.',
  summary: (count) =>
    plural(count, {
      one: 'صحّح حقلًا واحدًا',
      two: 'صحّح حقلين',
      few: 'صحّح # حقول',
      many: 'صحّح # حقلًا',
      other: 'صحّح # حقل',
    }),
  notAccepted: (detail) => `غير مقبول: ${apart(detail)}`,
  problems: {
    missing: 'املأ هذا الحقل.',
    pattern: 'الصيغة غير مطابقة للمطلوب.',
    email: 'أدخل عنوان بريد إلكتروني، مثل name@example.com.',
    uri: 'أدخل عنوانًا كاملًا، مثل https://example.com.',
    date: 'أدخل تاريخًا كاملًا.',
    'date-time': 'أدخل التاريخ والوقت كاملين.',
    number: 'أدخل رقمًا.',
    integer: 'أدخل عددًا صحيحًا.',
    digits: 'أرقام هذا العدد أكثر من أن يُرسل بدقة.',
    unique: 'لا يجوز تكرار أي عنصر.',
    json: 'هذا ليس JSON صالحًا.',
  },
  limits: {
    minLength: (limit) => `الحد الأدنى لعدد الأحرف: ${figure(limit)}.`,
    maxLength: (limit) => `الحد الأقصى لعدد الأحرف: ${figure(limit)}.`,
    minimum: (limit) => `أدخل ${figure(limit)} أو أكثر.`,
    maximum: (limit) => `أدخل ${figure(limit)} أو أقل.`,
    above: (limit) => `أدخل أكثر من ${figure(limit)}.`,
    below: (limit) => `أدخل أقل من ${figure(limit)}.`,
    multipleOf: (limit) => `أدخل أحد مضاعفات ${figure(limit)}.`,
    minItems: (limit) => `الحد الأدنى لعدد العناصر: ${figure(limit)}.`,
    maxItems: (limit) => `الحد الأقصى لعدد العناصر: ${figure(limit)}.`,
  },
}
