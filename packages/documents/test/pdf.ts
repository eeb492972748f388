// PDF of a few lines of text, for tests.

/** A page a list of lines; `info` are the entries of its properties: `/Title (Leave)`. */
export function pdfOf(pages: readonly (readonly string[])[], info = ''): Buffer {
  const contents = pages.map((lines) => {
    const shown = lines.map((line) => `(${line.replace(/[\\()]/g, '\\$&')}) Tj T*`);
    return `BT /F1 12 Tf 14 TL 72 720 Td ${shown.join(' ')} ET`;
  });
  const first = 5; // object of the first page
  const kids = pages.map((_, n) => `${first + 2 * n} 0 R`);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${kids.join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< ${info} >>`,
    ...contents.flatMap((stream, n) => [
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ' +
        `/Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 2 * n + 1} 0 R >>`,
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    ]),
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, n) => {
    const at = file.length;
    file += `${n + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(at).padStart(10, '0')} 00000 n \n`;
  });
  const table = file.length;
  file += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  file += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R >>\n`;
  file += `startxref\n${table}\n%%EOF\n`;
  return Buffer.from(file, 'latin1');
}
